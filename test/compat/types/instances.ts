import type { Corpus, CorpusChange } from "../../../generator/pipeline/emit/corpus/corpus.js";
import { published, readGenerated } from "../../support/protocol.js";

export interface Instance {
  /** The type that it is a valid or invalid value of. */
  readonly type: string;
  readonly value: unknown;
}

/** Returns the valid and invalid values of every type of every revision. */
export function allInstances(): readonly Instance[] {
  return published.flatMap(({ revision }) => {
    const corpus = readGenerated(`${revision}/corpus.json`) as Corpus;
    return Object.entries(corpus.types).flatMap(([type, { instances, changes }]) => [
      ...instances.map((value) => ({ type, value })),
      ...changes.map((change) => ({ type, value: changed(structuredClone(instances[change.of]), change) })),
    ]);
  });
}

function changed(root: unknown, { path, ...change }: CorpusChange): unknown {
  const last = path.at(-1);
  if (last === undefined) return change.value;
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], root) as Record<
    string | number,
    unknown
  >;
  if ("value" in change) holder[last] = change.value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else Reflect.deleteProperty(holder, last);
  return root;
}
