const base = 36;

/**
 * Decodes a label of a host name that begins with `xn--` (RFC 3492).
 * @returns the label itself if it is not valid Punycode
 */
export function decodeLabel(label: string): string {
  if (!/^xn--/i.test(label)) return label;
  const end = label.lastIndexOf("-");
  const points = Array.from(label.slice(4, Math.max(4, end)), (char) => char.codePointAt(0) ?? 0);
  const digits = label.slice(end + 1);
  let [point, bias, index, at] = [128, 72, 0, 0];
  while (at < digits.length) {
    const start = index;
    let weight = 1;
    for (let step = base; ; step += base) {
      const digit = Number.parseInt(rotate(digits[at++] ?? ""), base);
      if (Number.isNaN(digit) || index > 0x7fffffff) return label;
      index += digit * weight;
      const threshold = Math.min(Math.max(step - bias, 1), 26);
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const count = points.length + 1;
    bias = adapt(index - start, count, start === 0);
    point += Math.floor(index / count);
    if (point > 0x10ffff) return label;
    index %= count;
    points.splice(index++, 0, point);
  }
  return String.fromCodePoint(...points);
}

/** Punycode counts letters first and then digits; base 36 of JavaScript the other way round. */
function rotate(char: string): string {
  if (/[a-z]/i.test(char)) return (char.toLowerCase().charCodeAt(0) - 97).toString(base);
  return /\d/.test(char) ? (Number(char) + 26).toString(base) : "";
}

/** RFC 3492, 6.1. */
function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / count);
  let bias = 0;
  for (; rest > 455; bias += base) rest = Math.floor(rest / 35);
  return bias + Math.floor((36 * rest) / (rest + 38));
}
