import { clientSides } from "@mcpwright/protocol/client-sides";
import type { Trace } from "@mcpwright/runtime";
import { type Diagnostic, fail } from "../../../shared/diagnostics/diagnostic.js";
import type { ServerSession } from "../../../shared/sessions/open-session.js";
import { findLosses, listMethods } from "./find-losses.js";
import { ListRecorder } from "./list-recorder.js";
import { requestRecorded } from "./request-recorded.js";
import type { InspectedLosses } from "./revision-losses.js";

/** What a session needs before it opens, and what finds the losses of its server after the lists were requested over it. */
export interface LossInspection {
  readonly trace: Trace;
  readonly inspectLosses: (session: ServerSession, note: (one: Diagnostic) => void) => Promise<InspectedLosses>;
}

/**
 * Prepares to find the losses for clients of a revision.
 * @param clients the revision; `true` for every revision
 * @throws DiagnosticError revision-unknown
 */
export function prepareLosses(clients: string | true): LossInspection {
  const known = clientSides.map(({ revision }) => revision);
  if (clients !== true && !known.includes(clients))
    fail("revision-unknown", { revision: clients, known: known.join(", ") });
  const recorder = new ListRecorder(listMethods);
  return {
    trace: recorder.trace,
    async inspectLosses(session, note) {
      const revision = session.client.getNegotiatedProtocolVersion() ?? "";
      const capabilities = { ...session.client.getServerCapabilities() };
      const server = { revision, capabilities, pagesOf: (method: string) => recorder.pagesOf(method) };
      const revisions = (clients === true ? known : [clients]).map((one) => findLosses(server, one));
      const recorded = await requestRecorded(session, note);
      return { revisions, ...(recorded && { recorded }) };
    },
  };
}
