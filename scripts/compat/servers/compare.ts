import { isDeepStrictEqual } from "node:util";
import type { Difference } from "./known.js";
import type { Exchange } from "./questions.js";

/** Parts of texts that differ from run to run. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, "<time>"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>"],
  [/\b[0-9a-f]{32}\b/g, "<id>"],
  [/\d{1,2}:\d{2}:\d{2} [AP]M/g, "<time>"],
];

/** The questions to a server that got different answers. */
export function differencesOf(
  server: string,
  expected: readonly Exchange[],
  actual: readonly Exchange[],
): readonly Difference[] {
  return expected.flatMap(({ question, answer: official }, index) => {
    const ours = actual[index]?.answer;
    return isDeepStrictEqual(steady(official), steady(ours)) ? [] : [{ server, question, official, ours }];
  });
}

/** A value of JSON without the parts that change. */
export function steady(value: unknown): unknown {
  let text = JSON.stringify(value) as string | undefined;
  for (const [pattern, name] of changing) text = text?.replaceAll(pattern, name);
  return text === undefined ? undefined : JSON.parse(text);
}

export function printDifference({ question, official, ours }: Difference): string {
  const asked = JSON.stringify(question).slice(0, 160);
  return `  ${asked}\n    official: ${shown(official, ours)}\n    ours:     ${shown(ours, official)}`;
}

/** The part of a value around the first character that differs. */
function shown(value: unknown, other: unknown): string {
  const [text = "nothing", otherText = "nothing"] = [value, other].map(
    (one) => JSON.stringify(one) as string | undefined,
  );
  const differs = Array.from(text).findIndex((character, index) => character !== otherText[index]);
  return text.slice(Math.max(0, differs - 100), Math.max(0, differs) + 200);
}
