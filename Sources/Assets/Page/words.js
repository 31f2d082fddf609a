// What the names of a document mean to people.

const SEVERITIES = new Map([
  ['error', { letter: 'E', word: 'error', rank: 0 }],
  ['warning', { letter: 'W', word: 'warning', rank: 1 }],
  ['note', { letter: 'N', word: 'note', rank: 2 }],
]);
const severityOf = (name) => SEVERITIES.get(name) ?? SEVERITIES.get('note');

/** Why a stream was silent: a letter and a pattern beside the colour. `sender` and `receiver` are filled in. */
const CAUSES = new Map([
  ['senderIdle', { letter: 'I', pattern: 'none', color: 'idle', words: (s) => `${s} idle`, plain: 'sender idle' }],
  ['retransmission', { letter: 'R', pattern: 'cross', color: 'loss', words: () => 'lost and retransmitted', plain: 'lost and retransmitted' }],
  ['zeroWindow', { letter: 'Z', pattern: 'rise', color: 'shut', words: (s, r) => `${r}’s receive window closed: not reading`, plain: 'receive window closed: not reading' }],
  ['receiverLimited', { letter: 'F', pattern: 'fall', color: 'shut', words: (s, r) => `${r}’s receive window full`, plain: 'receive window full' }],
  ['congestionLimited', { letter: 'C', pattern: 'dots', color: 'flight', words: () => 'waiting for ACKs', plain: 'waiting for ACKs' }],
  ['captureLoss', { letter: 'L', pattern: 'cross', color: 'unsure', words: () => 'bytes missing from the capture', plain: 'bytes missing from the capture' }],
  ['heldUpstream', { letter: 'H', pattern: 'rise', color: 'hold', words: () => 'held upstream', plain: 'held upstream' }],
  ['streamWindow', { letter: 'S', pattern: 'fall', color: 'shut', words: (s, r) => `no credit for the stream from the ${r}`, plain: 'no credit for the stream' }],
  ['connectionWindow', { letter: 'W', pattern: 'rise', color: 'shut', words: (s, r) => `no credit for the connection from the ${r}`, plain: 'no credit for the connection' }],
  ['peerStreams', { letter: 'P', pattern: 'dots', color: 'flight', words: () => 'other streams were sent', plain: 'other streams were sent' }],
  ['unknown', { letter: '?', pattern: 'dots', color: 'unsure', words: () => 'cause unknown', plain: 'cause unknown' }],
]);
const causeOf = (name) => CAUSES.get(name) ?? CAUSES.get('unknown');

const senderName = (direction) => (direction === 'toServer' ? 'client' : 'server');
const receiverName = (direction) => (direction === 'toServer' ? 'server' : 'client');
const causeWords = (name, direction) => causeOf(name).words(senderName(direction), receiverName(direction));

/** What a finding cost. */
function costWords(cost) {
  const { kind, ns, bytes, what } = asObject(cost);
  if (kind === 'delay') return durationText(ns);
  if (kind === 'lost') return `${bytesText(asCount(bytes))} lost`;
  if (kind === 'failed') return `the ${asText(what) || 'exchange'}`;
  return '';
}

/** `Server: …` names whom the fix is for. */
function fixParts(fix) {
  const match = /^(Server or client|Server or proxy|Server|Client|Proxy|Sender|Receiver|Network|Origin)(?: \(([^)]{1,40})\))?: /.exec(fix);
  if (!match) return { owner: '', text: fix };
  const text = fix.slice(match[0].length);
  return { owner: match[2] ? `${match[1].toLowerCase()} (${match[2]})` : match[1].toLowerCase(), text };
}

const HOLES = new Map([
  ['gap.notCaptured', 'acknowledged, not captured'],
  ['gap.snaplen', 'cut by the snapshot length'],
  ['gap.neverArrived', 'never captured'],
  ['gap.holdLimit', 'given up: too many bytes buffered behind it'],
]);

/** Kinds of timeline entries that say no more than their name. */
const ENTRY_WORDS = new Map([
  ['syn', 'SYN'], ['synAck', 'SYN-ACK'], ['synAckDiffers', 'SYN-ACK with another sequence number'],
  ['synData', 'data in the SYN (Fast Open)'], ['portReused', 'ports reused'],
  ['notCompared', 'not compared with the first copy'], ['outOfOrder', 'fills a hole: out of order'],
  ['retransmissionOfUnseen', 'fills a hole: retransmitted, first copy lost before the capture point'],
  ['duplicatePacket', 'captured twice'], ['delayedAck', 'delayed ACK'],
  ['dataAfterPeerFin', 'data after the other side’s FIN'], ['dataBeforeReset', 'last data before the reset'],
  ['zeroWindow', 'receive window 0: not reading'], ['windowLimited', 'receive window full most of the time'],
  ['zeroWindowProbe', 'zero-window probe'], ['zeroWindowProbeAck', 'answer to the zero-window probe'],
  ['keepAlive', 'keep-alive'], ['keepAliveAck', 'answer to the keep-alive'], ['reset', 'RST'],
  ['refused', 'RST: refused'], ['urgent', 'urgent data'], ['lastChunk', 'last chunk'],
]);

/** A line of a connection's story in words. */
function entryWords(entry) {
  const kind = asText(entry.kind);
  const bytes = asCount(entry.bytes);
  const value = asCount(entry.value);
  const label = asText(entry.label);
  const packets = Math.max(1, asCount(entry.packets));
  const size = bytes > 0 ? ` ${bytesText(bytes)}` : '';
  const of = entry.refersTo === undefined ? '' : ` of #${grouped(entry.refersTo)}`;
  const spread = (words) => (packets > 1 ? `${words} in ${count(packets, 'packet')}` : words);
  if (ENTRY_WORDS.has(kind)) return ENTRY_WORDS.get(kind);
  if (HOLES.has(kind)) return `HOLE: ${bytesText(bytes)} ${HOLES.get(kind)}`;
  switch (kind) {
    case 'data': return spread(bytesText(bytes));
    case 'overlapConflict': return `CONFLICT: ${bytesText(bytes)} differ from ${of ? of.slice(4) : 'the first copy'}`;
    case 'head': case 'handshake': return label;
    case 'body': return spread(`body ${bytesText(bytes)}`);
    case 'chunks':
      if (value === 0) return spread(`chunk data ${bytesText(bytes)}`);
      if (bytes === 0) return 'end of chunk';
      return spread(value === 1 ? `chunk ${bytesText(bytes)}` : `${count(value, 'chunk')}, ${bytesText(bytes)}`);
    case 'message': {
      const answered = entry.refersTo === undefined ? '' : ` (answers #${grouped(entry.refersTo)})`;
      if (value > 1) return spread(`${grouped(value)} × ${label}, ${bytesText(bytes)}`);
      return bytes > 0 ? spread(`${label} ${bytesText(bytes)}`) + answered : label + answered;
    }
    case 'records': return spread(`${count(value, 'encrypted record')}, ${bytesText(bytes)}`);
    case 'unreadable': return `UNREADABLE: not HTTP, ${bytesText(bytes)} or more`;
    case 'synRetry': return value > 1 ? `SYN retransmitted ${grouped(value)} times` : 'SYN retransmitted';
    case 'retransmissionFast': return `retransmitted${size}: fast retransmit`;
    case 'retransmissionTimeout': return `retransmitted${size} after ${durationText(value)}: timeout`;
    case 'retransmissionSpurious': return `retransmitted${size} though acknowledged`;
    case 'retransmission': return bytes > 0 ? `retransmitted${size}` : 'FIN retransmitted';
    case 'ackOfUnseen': return `acknowledges${size} that were not captured`;
    case 'duplicateAck': return `duplicate ACK ${grouped(value)}`;
    case 'heldWrite': return `waited for the ACK${of}`;
    case 'neverAcknowledged': return `${bytesText(bytes)} never acknowledged`;
    case 'windowUpdate': return `receive window open: ${bytesText(value)}`;
    case 'windowFull': return `receive window full: ${bytesText(value)} in flight`;
    case 'smallSegments': return `${count(value, 'segment')}, most of them small`;
    case 'fin': return value > 0 ? 'FIN with data' : 'FIN';
    case 'dataAfterFin': return `${bytesText(bytes)} after its own FIN${of}`;
    case 'resetOutOfWindow': return `RST outside the window by ${grouped(value)}: ignored`;
    case 'dataAfterReset': return `${bytesText(value)} after the reset`;
    case 'snaplenCut': return `${bytesText(value)} cut by the snapshot length`;
    case 'icmpError': return `ICMP error, type ${value >> 8} code ${value & 255}`;
    case 'outOfWindow': return 'far outside the window: ignored';
    default: return label || kind || 'an entry this page does not know';
  }
}

/** How bad an entry is by itself, for its mark on the connection's lane; empty where it is ordinary. */
const TROUBLE = new Map([
  ['retransmissionFast', 'R'], ['retransmissionTimeout', 'R'], ['retransmission', 'R'], ['synRetry', 'R'],
  ['zeroWindow', 'Z'], ['windowFull', 'F'], ['reset', '✕'], ['refused', '✕'], ['overlapConflict', '!'],
  ['unreadable', '!'], ['icmpError', '!'], ['gap.notCaptured', 'L'], ['gap.snaplen', 'L'], ['gap.neverArrived', 'L'],
  ['gap.holdLimit', 'L'], ['fin', '|'],
]);

/** Messages of streams, as `items` name them. */
const KINDS = new Map([
  ['chunk', { word: 'chunk', color: 'piece' }], ['event', { word: 'event', color: 'piece' }],
  ['comment', { word: 'comment', color: 'quiet' }], ['line', { word: 'line', color: 'piece' }],
  ['grpc', { word: 'gRPC message', color: 'piece' }],
  ['text', { word: 'text', color: 'piece' }], ['binary', { word: 'binary', color: 'binary' }],
  ['ping', { word: 'ping', color: 'ping' }], ['pong', { word: 'pong', color: 'ping' }],
  ['close', { word: 'close', color: 'close' }], ['record', { word: 'record', color: 'quiet' }],
  ['body', { word: 'body', color: 'piece' }], ['data', { word: 'data', color: 'quiet' }],
]);
const kindOf = (name) => KINDS.get(name) ?? { word: name, color: 'quiet' };

/** Close codes of RFC 6455 §7.4.1 and the registry. */
const CLOSE_CODES = new Map([
  [1000, 'normal'], [1001, 'going away'], [1002, 'protocol error'], [1003, 'unsupported data'], [1005, 'none given'],
  [1006, 'abnormal'], [1007, 'invalid payload'], [1008, 'policy'], [1009, 'too big'], [1010, 'extension missing'],
  [1011, 'internal error'], [1012, 'restart'], [1013, 'try again later'], [1014, 'bad gateway'], [1015, 'TLS failed'],
]);
