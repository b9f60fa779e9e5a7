import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import type { ServerLists } from "../../shared/sessions/server-lists.js";

type Members = Readonly<Record<string, unknown>>;

/** What to ask of a server. */
export type InspectRequest =
  | {
      readonly kind: "call";
      readonly name: string;
      readonly arguments: Members;
      /** Arguments as text, each `key=value`; the tool's input schema says what they mean. */
      readonly pairs?: readonly string[];
    }
  | { readonly kind: "read"; readonly uri: string }
  | { readonly kind: "prompt"; readonly name: string; readonly arguments: Readonly<Record<string, string>> }
  | {
      readonly kind: "complete";
      /** A prompt's name, or a resource template. */
      readonly ref: { readonly prompt: string } | { readonly template: string };
      readonly argument: { readonly name: string; readonly value: string };
      /** Arguments that are settled already. */
      readonly context: Readonly<Record<string, string>>;
    };

/** What was found out about a server. This is also what `mcpwright inspect --json` prints. */
export interface Inspection extends ServerLists {
  /** Its URL or command, without credentials. */
  readonly target: string;
  readonly transport: "stdio" | "http";
  /** `handshake`: it opens with `initialize`; `stateless`: each request stands alone. */
  readonly era: "handshake" | "stateless";
  readonly revision: string;
  readonly server?: Members;
  readonly instructions?: string;
  readonly capabilities: Members;
  /** What was asked of it; then there are no lists. */
  readonly request?: Members;
  readonly result?: Members;
  readonly notes: readonly Diagnostic[];
}
