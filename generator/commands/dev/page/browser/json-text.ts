/** The value of a text as indented JSON; texts that are not JSON, such as cut ones, stay as they are. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

export function printed(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

/** A duration for people. */
export function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
