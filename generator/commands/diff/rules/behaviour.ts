import type { ProfileValue } from "../../../shared/model/protocol.js";
import { profileFields } from "../../../shared/model/profile.js";
import type { Pair } from "../pairs.js";
import { rule, when, type Detail } from "../rule.js";

/** Fields with rules of their own. */
const special: ReadonlySet<string> = new Set(["batch", "opening"]);

function behaviour({ before, after }: Pair<ProfileValue>): readonly Detail[] {
  const field = (after ?? before)?.field ?? "";
  if (!before || !after || special.has(field)) return [];
  return when(before.value !== after.value, meaningOf(field));
}

function meaningOf(field: string): Detail {
  const text = profileFields.find(({ name }) => name === field)?.text ?? "";
  return { meaning: text };
}

export const behaviourRules = [
  rule({
    id: "batching-allowed",
    category: "wire",
    purpose: "Several messages may be sent in one JSON array.",
    on: "profile",
    find: ({ before, after }) => when(after?.field === "batch" && before?.value === false && after.value === true),
    message: "messages may be sent in batches",
    receiver: "A peer of {new} must accept an array of messages; a peer of {old} replies with an error.",
    sender: "Send batches only after {new} is negotiated.",
    source: "Handlers do not change; transports must split arrays.",
    hint: "Leave batches to the runtime.",
  }),
  rule({
    id: "batching-forbidden",
    category: "wire",
    purpose: "Several messages may no longer be sent in one JSON array.",
    on: "profile",
    find: ({ before, after }) => when(after?.field === "batch" && before?.value === true && after.value === false),
    message: "messages must not be sent in batches",
    receiver: "A peer of {new} replies to an array of messages with an error.",
    sender: "Send each message by itself once {new} is negotiated.",
    source: "Handlers do not change.",
    hint: "Leave batches to the runtime.",
  }),
  rule({
    id: "opening-changed",
    category: "wire",
    purpose: "Connections open differently.",
    on: "profile",
    find: ({ before, after }) =>
      when(after?.field === "opening" && !!before && before.value !== after.value, meaningOf("opening")),
    message: "the way a connection opens changed from {before} to {after}. {meaning}",
    receiver: "A server that supports only one way rejects the first message of the other.",
    sender: "A client must detect which way the server supports, and open the connection that way.",
    source: "Code that keeps state per connection must move it into the request, or behind a handle of its own.",
    hint: "Serve both with one handler, as the runtime does.",
  }),
  rule({
    id: "behaviour-changed",
    category: "behaviour",
    purpose: "A behaviour changed that is described only in the prose of the specification, not in the schema.",
    on: "profile",
    find: behaviour,
    message: "`{name}` changed from {before} to {after}. {meaning}",
    receiver: "The receiver follows the negotiated revision.",
    sender: "The sender follows the negotiated revision.",
    source: "Types do not change; code that relies on the old behaviour must read the profile.",
    hint: "In code, read `profile.{name}` instead of comparing revision ids.",
  }),
  rule({
    id: "behaviour-unstated",
    category: "unstated",
    purpose: "Only one of the revisions states a profile field.",
    on: "profile",
    find: ({ before, after }) => when(!before !== !after),
    message: "{name} is stated for one revision only",
    receiver: "No overlay states what to expect.",
    sender: "No overlay states what to do.",
    source: "The field is missing from the profile.",
    hint: "State it in the overlay, under profile.{name}.",
  }),
  rule({
    id: "result-tag-changed",
    category: "wire",
    purpose: "The member that identifies the kind of a result, or the meaning of its values, differs.",
    on: "resultTag",
    find: ({ before, after }) => when(JSON.stringify(before) !== JSON.stringify(after)),
    message: "the member that identifies the kind of a result changed",
    receiver: "A peer of {new} reads the tag first; without a tag, the result is the method's own.",
    sender: "A peer of {new} tags its results; a peer of {old} does not know the tag.",
    source: "Comparing the tag narrows the type of a result.",
    hint: "Use the generated outcome types.",
  }),
] as const;
