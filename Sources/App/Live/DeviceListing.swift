import Capture
import Reports

/// `streamscope live -D`.
enum DeviceListing {
  static func text(_ devices: [CaptureDeviceInfo]) -> String {
    let width = devices.map { EscapedText.text($0.name).count }.max() ?? 0
    return devices.map { device in
      let name = EscapedText.text(device.name)
      var parts = [device.isUp ? (device.isRunning ? "up" : "up, no carrier") : "down"]
      if device.isLoopback { parts.append("loopback") }
      if device.isWireless { parts.append("wireless") }
      parts += device.addresses.map { EscapedText.text($0) }
      if let about = device.about { parts.append(EscapedText.text(about)) }
      return name + String(repeating: " ", count: width - name.count + 2) + parts.joined(separator: ", ") + "\n"
    }.joined()
  }

  static func json(_ devices: [CaptureDeviceInfo]) -> String {
    var json = JSONWriter(.indented)
    json.array { list in
      for device in devices {
        list.object { json in
          json.field("name", device.name)
          if let about = device.about { json.field("description", about) }
          json.array("addresses") { list in
            for address in device.addresses { list.value(address) }
          }
          json.field("up", device.isUp)
          json.field("running", device.isRunning)
          json.field("loopback", device.isLoopback)
          json.field("wireless", device.isWireless)
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}
