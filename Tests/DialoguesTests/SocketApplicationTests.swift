import Testing

@testable import Dialogues

@Suite("What is spoken inside a WebSocket")
struct SocketApplicationTests {
  @Test(
    "By its path.",
    arguments: [
      ("/socket.io/?EIO=4&transport=websocket&sid=1", "Socket.IO"), ("/a/?transport=websocket&EIO=3", "Engine.IO"),
      ("/socket/websocket?vsn=2.0.0", "Phoenix"), ("/websocket?token=1&vsn=2.0.0", "Phoenix"),
      ("/echo/123/abcdefgh/websocket", "SockJS"), ("/echo/123/abcdefgh/websocket/?vsn=2", "SockJS"),
      ("/socket.io/?transport=websocket", nil), ("/socket.io/?EIO=4&transport=polling", nil),
      ("/socket/websocket?version=2", nil), ("/websocket/?vsn=2", nil), ("websocket?vsn=2", nil),
      ("/echo/12a/abcdefgh/websocket", nil), ("/echo/1234/abcdefgh/websocket", nil), ("/123/websocket", nil),
      ("/socket.io/?xEIO=4&transport=websocket", nil), ("/", nil), ("", nil), ("?", nil),
    ])
  func path(_ path: String, _ name: String?) {
    #expect(SocketApplication(subprotocol: nil, path: path).name == name)
  }

  @Test("By the subprotocol before the path.")
  func subprotocol() {
    #expect(SocketApplication(subprotocol: "v12.stomp", path: "/a?vsn=2").name == "STOMP")
    #expect(SocketApplication(subprotocol: "own", path: "/a/websocket?vsn=2").name == "Phoenix")
  }
}
