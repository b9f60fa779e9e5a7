/** The severity of a finding: forbidden by the specification, discouraged, or informative. */
export type ValidationSeverity = "error" | "warning" | "note";

interface Rule {
  readonly severity: ValidationSeverity;
  /** The requirement of the rule. */
  readonly asks: string;
}

/** The rules that a conversation is checked against. */
export const rules = {
  "record-empty": { severity: "warning", asks: "The record contains messages." },
  "line-malformed": { severity: "error", asks: "Each line is one JSON object." },
  "line-too-long": { severity: "error", asks: "No line is longer than 64 MiB." },
  "line-form": { severity: "error", asks: "Each line states the sender and the message: `from` and `message`." },
  envelope: { severity: "error", asks: "A message is a JSON-RPC 2.0 request, notification or response." },
  batch: { severity: "error", asks: "Batches are used only in revisions that allow them, and are not empty." },
  "id-reused": { severity: "error", asks: "Each side uses a request id once." },
  "method-unknown": { severity: "warning", asks: "The revision defines the method." },
  direction: { severity: "error", asks: "The sender may send the method, and as this kind of message." },
  params: { severity: "error", asks: "Params match the revision's schema." },
  "other-revision": { severity: "note", asks: "A request states the revision of the conversation." },
  "lifecycle-order": { severity: "error", asks: "A session is opened before other messages are sent." },
  "lifecycle-again": {
    severity: "warning",
    asks: "A session is opened once, unless the server has dropped it (over HTTP).",
  },
  "lifecycle-haste": { severity: "warning", asks: "Until the session is open, both sides send only pings." },
  "revision-differs": { severity: "error", asks: "The session is opened in the revision of the conversation." },
  capability: { severity: "error", asks: "The capability that a message needs is declared before it is sent." },
  "answer-unknown": { severity: "error", asks: "A response has the id of an open request." },
  "answer-after-cancel": { severity: "warning", asks: "A cancelled request gets no response." },
  unanswered: { severity: "note", asks: "Each request gets a response before the record ends." },
  result: { severity: "error", asks: "A result matches the schema for the method of its request." },
  "result-alternative": { severity: "error", asks: "A result is one of the types that its method allows." },
  question: {
    severity: "error",
    asks: "Input requests in results, and the responses to them, match each other and their schemas.",
  },
  "progress-token": {
    severity: "error",
    asks: "Progress is sent for an open request that asked for it; no two requests share a token.",
  },
  "progress-order": { severity: "error", asks: "Progress increases." },
  "cancel-unknown": {
    severity: "error",
    asks: "A cancellation names a request of its sender, but not the request that opens the session.",
  },
  "cancel-late": { severity: "note", asks: "A cancelled request has no response yet." },
  "log-unasked": { severity: "error", asks: "Log messages are sent only while a request asks for them." },
  subscription: {
    severity: "error",
    asks: "Change notifications belong to a subscription that is open and acknowledged.",
  },
  deprecated: { severity: "note", asks: "The conversation uses no feature that the revision deprecates." },
} as const satisfies Readonly<Record<string, Rule>>;

export type ValidationRuleId = keyof typeof rules;
