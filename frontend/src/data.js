// The document of the page ("cardan-page/1") with its arrays as typed arrays.

/** @typedef {(Float32Array|Float64Array) & {shape: number[]}} Numbers an array of the document, row after row */

export const FORMAT = "cardan-page/1";

/** The document with every {shape, f32|f64} replaced by Numbers. */
export function decodeDocument(raw) {
  if (raw?.format !== FORMAT) {
    throw new Error(`This page reads documents of the format ${FORMAT} and was given ${raw?.format ?? "none"}.`);
  }
  return decode(raw);
}

/** The same for a part of a document, such as a new motion. */
export function decode(part) {
  if (Array.isArray(part)) return part.map(decode);
  if (part === null || typeof part !== "object") return part;
  if (isArray(part)) return decodeArray(part);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, decode(value)]));
}

function isArray(part) {
  return Array.isArray(part.shape) && (typeof part.f32 === "string" || typeof part.f64 === "string");
}

/** Base64 of little-endian numbers; every machine with a browser is little-endian. */
function decodeArray({ shape, f32, f64 }) {
  const text = atob(f64 ?? f32);
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const values = f64 === undefined ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
  return Object.assign(values, { shape });
}
