// Digests is SHA-1 and SHA-256 (FIPS 180-4) and the two notations of their results. The program needs them even
// when it is built with libpcap alone: the Community ID and the check of a WebSocket's accept key are SHA-1, redaction
// and the digests of bodies are SHA-256. So they are here, in Swift. Where the library that decrypts TLS is there, it takes
// the blocks of SHA-256, which may be those of every body.
//
//   SHA1 SHA256   values that take bytes in pieces of any size
//   Hex Base64    bytes as text
//
// SHA-1 identifies and checks things here; it authenticates nothing. Neither computation involves a secret, so no
// protection against timing is needed.
//
// Both hold one block and the eight or five words of the state inline: no allocation until the result.
