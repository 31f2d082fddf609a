'use strict';
// The page of streamscope's HTML report. The files of this folder are joined into one script, in the order that
// Assets.swift names; each may use what those before it define.
//
// Whatever stands in a document is hostile: it becomes text nodes, attributes that hold text, and numbers, never
// markup, never a key of an object with a prototype, never a place to go to.

// MARK: Reading. What is absent or of another type reads as nothing: documents come from other versions and editors.

// A large document has a hundred thousand parts that are absent: they are the same nothing.

const NONE = Object.freeze([]);
const NOTHING = Object.freeze({});
const asArray = (value) => (Array.isArray(value) ? value : NONE);
const asObject = (value) => (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : NOTHING);
const asText = (value) => (typeof value === 'string' ? value : '');
const asNumber = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const asCount = (value) => Math.max(0, asNumber(value) ?? 0);

// MARK: Text

const TEXT_LIMIT = 2000;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0]/gu;

/** What would move, hide or turn text around is shown instead. */
function visible(text) {
  const short = text.length > TEXT_LIMIT ? text.slice(0, TEXT_LIMIT) + '…' : text;
  return short.replace(HIDDEN, (character) => `\\u{${character.codePointAt(0).toString(16).toUpperCase()}}`);
}

// MARK: Elements

/**
 * The one place that makes elements. `settings` holds attributes; `class`, `on` (listeners) and boolean attributes are
 * understood. Children are elements, or anything else as text; null and undefined are left out.
 */
function make(tag, settings, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(settings ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else {
      element.setAttribute(name, value === true ? '' : visible(String(value)));
    }
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === undefined || child === null || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : visible(String(child)));
  }
}

function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

const div = (name, ...children) => make('div', { class: name }, ...children);
const span = (name, ...children) => make('span', { class: name }, ...children);
const code = (...children) => make('code', null, ...children);

function button(label, action, settings) {
  return make('button', { type: 'button', ...settings, on: { click: action } }, label);
}

/** A part of the page that is made when it is opened for the first time. */
function fold(title, fill, settings) {
  const body = div('fold-body');
  let isFilled = false;
  const details = make('details', settings, make('summary', null, title), body);
  const open = () => {
    if (isFilled) return;
    isFilled = true;
    append(body, [fill()]);
  };
  details.addEventListener('toggle', () => details.open && open());
  if (details.open) open();
  return details;
}

/** Facts as a list of names and values; those without a value are left out. */
function facts(pairs, name) {
  const list = make('dl', { class: name ?? 'facts' });
  for (const [key, value] of pairs) {
    if (value === undefined || value === null || value === '' || value === false) continue;
    list.append(make('div', null, make('dt', null, key), make('dd', null, value)));
  }
  return list;
}

const announcer = make('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' });

function announce(text) {
  replace(announcer, text);
}
