/** The messages between the processes of a run. */
import type { Failure, Tally } from "./observations.js";
import type { Violation } from "./client-checker.js";

export interface ClientPlan {
  readonly name: string;
  readonly revision: string;
  readonly principal: string;
}

export interface WorkerPlan {
  readonly seed: string;
  readonly url: string;
  readonly clients: readonly ClientPlan[];
  /** Milliseconds between two steps of a client. */
  readonly pauseMs: readonly [number, number];
}

export type ToWorker =
  { readonly type: "begin"; readonly plan: WorkerPlan } | { readonly type: "pause" | "resume" | "finish" };

export type FromWorker =
  | { readonly type: "tally"; readonly tally: Tally }
  | { readonly type: "failure"; readonly failure: Failure }
  | { readonly type: "violation"; readonly violation: Violation }
  | { readonly type: "idle" };

/** Asks for the memory of a node. */
export interface ToNode {
  readonly type: "measure";
}

export type FromNode =
  | { readonly type: "ready"; readonly port: number }
  /** The nonces of calls that the node has carried out. */
  | { readonly type: "executed"; readonly nonces: readonly string[] }
  | { readonly type: "measured"; readonly heapBytes: number }
  /** A report to `onerror`. */
  | { readonly type: "report"; readonly text: string };
