import type { ErrorModel, LimitModel, ProtocolModel, Side } from "../../shared/model/protocol.js";
import type { Definitions } from "../../shared/model/definitions.js";
import { capabilityTypes, findMember } from "../../pipeline/passes/overlay-facts.js";
import { inSchema, states, type Comparison, type Emit } from "./comparison.js";
import type { SourcePath } from "./pairs.js";

const both: readonly Side[] = ["client", "server"];

/** Pairs up everything except definitions: capabilities, codes, constants, keys, limits, behaviour. */
export function compareFacts(comparison: Comparison, emit: Emit): void {
  const { before, after } = comparison;
  for (const side of both)
    for (const [path, old, now] of matched(before.capabilities[side], after.capabilities[side], ({ path }) => path)) {
      const place = inSchema(capabilityTypes[side], ...path.split("."));
      emit("capability", { at: `${side}.${path}`, side, senders: [side], ...states(old, now, place, place) });
    }
  compareErrors(before, after, emit);
  const codes = new Set([before, after].flatMap(({ errors }) => errors.map(({ name }) => name)));
  for (const [name, old, now] of matched(before.constants, after.constants, ({ name }) => name)) {
    const isRevision = old?.value === before.revision && now?.value === after.revision;
    if (codes.has(name) || isRevision) continue;
    emit("constant", { at: name, senders: both, ...states(old, now, inSchema(name), inSchema(name)) });
  }
  for (const [key, old, now] of matched(before.metaKeys, after.metaKeys, (key) => key))
    emit("metaKey", {
      at: `_meta[${JSON.stringify(key)}]`,
      senders: both,
      ...states(old, now, overlay("metaKeys", key), overlay("metaKeys", key)),
    });
  for (const [path, old, now] of matched(before.limits, after.limits, ({ path }) => path))
    if (!isInSchema(old, comparison.now) && !isInSchema(now, comparison.old))
      emit("limit", { at: path, senders: both, ...states(old, now, overlay("limits", path), overlay("limits", path)) });
  for (const [field, old, now] of matched(before.profile, after.profile, ({ field }) => field))
    emit("profile", {
      at: `profile.${field}`,
      senders: both,
      ...states(old, now, overlay("profile", field), overlay("profile", field)),
    });
  // A revision that does not define authorization has another profile.
  if (before.authorization && after.authorization)
    for (const [field, old, now] of matched(before.authorization, after.authorization, ({ field }) => field)) {
      const place = overlay("authorization", field);
      emit("authorization", { at: `authorization.${field}`, senders: both, ...states(old, now, place, place) });
    }
  emit("resultTag", {
    at: "resultTag",
    senders: both,
    ...states(before.resultTag, after.resultTag, overlay("resultTag"), overlay("resultTag")),
  });
}

/** Whether the schema itself has a limit that the prose of the other revision sets. */
function isInSchema(limit: LimitModel | undefined, definitions: Definitions): boolean {
  const type = limit && findMember(limit.path, definitions)?.type;
  return type?.kind === "array" && type.maxItems !== undefined && type.maxItems === limit?.maxItems;
}

/** By name, so that a new number is seen as one; by number where the names have changed. */
function compareErrors(before: ProtocolModel, after: ProtocolModel, emit: Emit): void {
  const pair = (old: ErrorModel | undefined, now: ErrorModel | undefined): void => {
    const at = (now ?? old)?.name ?? "";
    emit("error", { at, senders: both, ...states(old, now, old && errorPlace(old), now && errorPlace(now)) });
  };
  const [gone, fresh]: [ErrorModel[], ErrorModel[]] = [[], []];
  for (const [, old, now] of matched(before.errors, after.errors, ({ name }) => name)) {
    if (old && now) pair(old, now);
    else if (old) gone.push(old);
    else if (now) fresh.push(now);
  }
  for (const [, old, now] of matched(gone, fresh, ({ code }) => String(code))) pair(old, now);
}

function errorPlace({ declared, name, code }: ErrorModel): SourcePath {
  return declared ? inSchema(name) : overlay("errors", String(code));
}

function overlay(...path: readonly string[]): SourcePath {
  return { kind: "overlay", path };
}

/** Items of two lists with the same key, in the order of the newer list. */
function matched<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => string,
): readonly (readonly [key: string, before: T | undefined, after: T | undefined])[] {
  const [old, now] = [before, after].map((list) => new Map(list.map((item) => [keyOf(item), item])));
  return [...new Set([...(now?.keys() ?? []), ...(old?.keys() ?? [])])].map((key) => [
    key,
    old?.get(key),
    now?.get(key),
  ]);
}
