// Assets are files that the program carries inside of itself: the page of the HTML report, the schemas of its documents,
// and a capture to show what it does. They are files and not literals, so that tools for what they are can read them;
// in a module of their own, because embedding them costs seconds that no other change should wait for.

package enum Assets {
  /// The capture of samples/sniff/apple-512-hold.wire.
  package static var demo: [UInt8] { PackageResources.demo_pcap }
}
