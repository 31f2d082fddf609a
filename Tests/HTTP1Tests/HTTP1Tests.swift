// Tests of HTTP1 and of the vocabulary it speaks, HTTPSemantics.
//
//   Rows/              streams and their tokens, whole, at every cut, in random segments, with their packets: a suite a topic
//   ContinuityTests    holes, the middle of a stream, limits, tunnels that the dialogue announces
//   ProbeTests         recognition by content
//   SemanticsTests     fields, lists, media types
//   Feeding, Summary   the harness: a stream fed in segments, tokens as short lines
