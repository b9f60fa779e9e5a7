import type { Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import type { ServerLists } from "../../shared/sessions/server-lists.js";
import type { InspectedLosses } from "./losses/revision-losses.js";

export type { FoundLoss, InspectedLosses, RevisionLosses } from "./losses/revision-losses.js";

type Members = Readonly<Record<string, unknown>>;

/** A request to the server. */
export type InspectRequest =
  | {
      readonly kind: "call";
      readonly name: string;
      readonly arguments: Members;
      /** Arguments as strings, each `key=value`; the tool's input schema determines their types. */
      readonly pairs?: readonly string[];
      /** Whether to ask the server to run the tool as a task. Default: `false`; the server can decide for itself. */
      readonly task?: boolean;
    }
  | {
      /** Calls a tool, and shows the result in its app. */
      readonly kind: "app";
      readonly name: string;
      readonly arguments: Members;
      /** As for a call. */
      readonly pairs?: readonly string[];
      /** The file for a PNG of the app. Default: the browser shows the app until `signal` is aborted. */
      readonly screenshot?: string;
    }
  | { readonly kind: "read"; readonly uri: string }
  | { readonly kind: "prompt"; readonly name: string; readonly arguments: Readonly<Record<string, string>> }
  | {
      readonly kind: "complete";
      /** A prompt's name, or a resource template. */
      readonly ref: { readonly prompt: string } | { readonly template: string };
      readonly argument: { readonly name: string; readonly value: string };
      /** The values of other arguments. */
      readonly context: Readonly<Record<string, string>>;
    };

/** The properties of a server. `mcpwright inspect --json` prints this object. */
export interface Inspection extends ServerLists {
  /** Its URL or command, without credentials. */
  readonly target: string;
  readonly transport: "stdio" | "http";
  /** `handshake`: sessions begin with `initialize`; `stateless`: requests are independent. */
  readonly era: "handshake" | "stateless";
  readonly revision: string;
  readonly server?: Members;
  readonly instructions?: string;
  readonly capabilities: Members;
  /** The request that was sent; then there are no lists. */
  readonly request?: Members;
  readonly result?: Members;
  /** The task as which the server ran the tool, in the last state that it reported; it can end without a further report. */
  readonly task?: Members;
  /** What clients of other revisions do not get, if it was asked for. */
  readonly losses?: InspectedLosses;
  readonly notes: readonly Diagnostic[];
}
