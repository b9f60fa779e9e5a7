import type { Case, Engine, Kind, Predicate, Predicates, Revision } from "./contract.js";
import type { Example } from "./messages/official.js";

/** A timed unit: one check, called with each of the values in turn. */
export interface Runner {
  readonly engine: string;
  readonly check: Predicate;
  readonly values: readonly unknown[];
  /** The value that every call must return. */
  readonly answer: boolean;
}

/** The runners that are timed against each other, and the reasons why other engines are excluded. */
export interface Contest {
  readonly revision: Revision;
  readonly name: string;
  readonly kind: Kind;
  readonly valid: readonly Runner[];
  readonly invalid: readonly Runner[];
  readonly untimed: Readonly<Record<string, string>>;
}

export interface Loaded {
  readonly engine: Engine;
  readonly predicates: Predicates | undefined;
}

export const jsonParse = "JSON.parse";
/** Our predicates, timed a second time in each round: the difference between the two timings is noise. */
export const control = "mcpwright, again";

export function contestOf(revision: Revision, message: Case, engines: readonly Loaded[]): Contest {
  const accepted = message.valid.map(parsed);
  const refused = message.invalid.map(parsed);
  const entries = engines.map(({ engine, predicates }): Entry => {
    const check = predicates?.(message.definition);
    if (!check) return { engine, untimed: "–" };
    const valid: Runner = { engine: engine.name, check, values: accepted, answer: true };
    const invalid: Runner = { engine: engine.name, check, values: refused, answer: false };
    if (!answersRight(valid)) return { engine, untimed: "rejects a valid message" };
    if (!answersRight(invalid)) return { engine, untimed: "accepts an invalid message" };
    return { engine, valid, invalid };
  });
  const { name, kind, valid } = message;
  return contest({ revision, name, kind }, entries, valid);
}

/** All official examples in turn, each checked against its own definition. */
export function streamOf(revision: Revision, examples: readonly Example[], engines: readonly Loaded[]): Contest {
  const values = examples.map(({ definition, text }) => ({ definition, value: parsed(text) }));
  const entries = engines.map(({ engine, predicates }): Entry => {
    const items = values.flatMap(({ definition, value }): CheckedItem[] => {
      const check = predicates?.(definition);
      return check ? [{ check, value }] : [];
    });
    if (items.length < examples.length) return { engine, untimed: "–" };
    const valid: Runner = { engine: engine.name, check: checkItem, values: items, answer: true };
    return answersRight(valid) ? { engine, valid } : { engine, untimed: "rejects an official example" };
  });
  const texts = examples.map(({ text }) => text);
  return contest({ revision, name: `official examples, ${examples.length} in turn`, kind: "mixed" }, entries, texts);
}

interface CheckedItem {
  readonly check: Predicate;
  readonly value: unknown;
}

function checkItem(item: unknown): boolean {
  const { check, value } = item as CheckedItem;
  return check(value);
}

interface Entry {
  readonly engine: Engine;
  readonly valid?: Runner;
  readonly invalid?: Runner;
  readonly untimed?: string;
}

function contest(
  subject: Pick<Contest, "revision" | "name" | "kind">,
  entries: readonly Entry[],
  texts: readonly string[],
): Contest {
  const parse: Runner = {
    engine: jsonParse,
    check: (text) => JSON.parse(text as string) !== undefined,
    values: texts,
    answer: true,
  };
  const valid = entries.flatMap((entry) => entry.valid ?? []);
  const again = valid.slice(0, 1).map((ours) => ({ ...ours, engine: control }));
  return {
    ...subject,
    valid: [...valid, ...again, parse],
    invalid: entries.flatMap((entry) => entry.invalid ?? []),
    untimed: Object.fromEntries(
      entries.flatMap(({ engine, untimed }) => (untimed === undefined ? [] : [[engine.name, untimed]])),
    ),
  };
}

function parsed(text: string): unknown {
  return JSON.parse(text);
}

function answersRight({ check, values, answer }: Runner): boolean {
  return values.every((value) => check(value) === answer);
}
