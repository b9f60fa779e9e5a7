import { revisions } from "@mcpwright/protocol";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import { type RecordEntry, readRecordEntry } from "./record-entry.js";
import { type RevisionFacts, loadRevisionFacts } from "./revision-facts.js";
import type { ValidationReport } from "./validation-report.js";
import { FindingCollector } from "./finding-collector.js";
import { checkEntry } from "./check-message.js";
import { readLines } from "./read-lines.js";
import { createConversationState, type ConversationState } from "./conversation-state.js";
import { RevisionDetector } from "./revision-detector.js";

const mostLineBytes = 64 * 1024 * 1024;

/** The maximum number of lines before the conversation states its revision. */
const mostWaiting = 1_000;

/**
 * Checks a recorded conversation against a revision, message by message.
 * @param source the bytes of the record: a JSON object per line, with `from` (client or server) and `message`
 * @param revision a known one, or the facts of another; defaults to the one that the conversation states
 * @throws DiagnosticError revision-unknown, conversation-revision-untold
 */
export async function validateConversation(
  source: AsyncIterable<Uint8Array>,
  revision: string | RevisionFacts | undefined,
): Promise<ValidationReport> {
  const findings = new FindingCollector();
  const state = createConversationState();
  const told = new RevisionDetector();
  const waiting: RecordEntry[] = [];
  let facts = typeof revision === "string" ? await factsOf(revision) : revision;
  let messages = 0;
  const begin = async (found: string | undefined): Promise<RevisionFacts> => {
    if (found === undefined) return fail("conversation-revision-untold", { lines: waiting.length });
    const begun = await factsOf(found);
    for (const entry of waiting) messages += checkEntry(entry, state, begun, findings);
    waiting.length = 0;
    return begun;
  };

  for await (const line of readLines(source, mostLineBytes)) {
    const entry = readRecordEntry(line, findings.at(line.number));
    if (!entry) continue;
    if (facts) {
      messages += checkEntry(entry, state, facts, findings);
      continue;
    }
    waiting.push(entry);
    const found = told.add(entry);
    if (found !== undefined || waiting.length >= mostWaiting) facts = await begin(found ?? told.guess);
  }
  if (!facts && waiting.length > 0) facts = await begin(told.guess);
  if (facts) tellUnanswered(state, facts, findings);
  if (messages === 0 && findings.kept.length === 0) findings.at(1)("record-empty", [], "there is no message in it");
  return {
    ...(facts && { revision: facts.revision }),
    ...(facts && facts.extensions.length > 0 && { extensions: facts.extensions }),
    messages,
    findings: findings.kept.toSorted((a, b) => a.line - b.line),
    counts: findings.counts,
  };
}

function factsOf(revision: string): Promise<RevisionFacts> {
  const known: readonly string[] = revisions;
  if (!known.includes(revision)) fail("revision-unknown", { revision, known: known.join(", ") });
  return loadRevisionFacts(revision);
}

/** The end of a record is not always the end of a conversation. */
function tellUnanswered(state: ConversationState, facts: RevisionFacts, findings: FindingCollector): void {
  for (const side of ["client", "server"] as const)
    for (const request of state[side].open.values()) {
      const isStream = facts.request(side, request.method)?.stream !== undefined;
      if (request.isCancelled || request.isForeign || isStream) continue;
      findings.at(request.line)("unanswered", [], `${request.method} has no answer until the end`);
    }
}
