// Figures as the text report writes them, so that both can be compared by eye and by search.

function grouped(value) {
  return Math.round(asNumber(value) ?? 0).toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

const count = (value, singular, plural) =>
  `${grouped(value)} ${Math.round(value) === 1 ? singular : plural ?? singular + 's'}`;

const bytesText = (value) => `${grouped(value)} B`;

/** For sizes nobody checks to the byte. */
function sizeText(value) {
  for (const [unit, name] of [[1e9, 'GB'], [1e6, 'MB'], [1e4, 'kB']]) {
    const scale = name === 'kB' ? 1e3 : unit;
    if (value >= unit) return value / scale >= 100 ? `${Math.floor(value / scale)} ${name}` : `${(Math.floor(value / scale * 10) / 10).toFixed(1)} ${name}`;
  }
  return bytesText(value);
}

/** Never more than it was: digits are cut, not rounded. */
function fixed(value, places) {
  const scale = 10 ** places;
  return (Math.floor(value * scale + 1e-6) / scale).toFixed(places);
}

/** `0.025 ms`, `0.25 ms`, `4.050 s`, `15 min 02 s` */
function durationText(nanoseconds) {
  const ns = asNumber(nanoseconds);
  if (ns === undefined) return '';
  const sign = ns < 0 ? '−' : '';
  const value = Math.abs(ns);
  const two = (number) => String(Math.floor(number)).padStart(2, '0');
  if (value === 0) return '0 s';
  if (value < 1e3) return `${sign}${Math.round(value)} ns`;
  if (value < 1e5) return `${sign}${fixed(value / 1e6, 3)} ms`;
  if (value < 1e7) return `${sign}${fixed(value / 1e6, 2)} ms`;
  if (value < 1e8) return `${sign}${fixed(value / 1e6, 1)} ms`;
  if (value < 12e10) return `${sign}${fixed(value / 1e9, 3)} s`;
  if (value < 72e11) return `${sign}${Math.floor(value / 6e10)} min ${two(value / 1e9 % 60)} s`;
  return `${sign}${grouped(Math.floor(value / 36e11))} h ${two(value / 6e10 % 60)} min`;
}

/** A time since the first packet, in seconds with four digits or as many as `step` needs. */
function timeText(nanoseconds, step) {
  const digits = step === undefined ? 4 : Math.min(9, Math.max(0, Math.ceil(9 - Math.log10(step) - 1e-9)));
  return fixed((asNumber(nanoseconds) ?? 0) / 1e9, digits);
}

/** Percent of a whole, and never 100 of less than all. */
function shareText(part, whole) {
  if (!(whole > 0)) return '';
  const percent = part / whole * 100;
  return percent >= 99.5 && part < whole ? '> 99 %' : percent < 1 && part > 0 ? '< 1 %' : `${Math.round(percent)} %`;
}

/** `2026-11-20 23:05:03 UTC` of the document's own text. */
function clockText(text) {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)/.exec(asText(text));
  return match ? `${match[1]} ${match[2]} UTC` : '';
}

const packetsText = (first, last) =>
  first === undefined ? '' : last === undefined || last === first ? `#${grouped(first)}` : `#${grouped(first)}–${grouped(last)}`;
