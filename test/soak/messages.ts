/** The messages between the processes of a run. */

/** The load of a run. */
export interface Intensity {
  readonly workers: number;
  readonly clientsPerWorker: number;
  /** Milliseconds between two requests of a lane. */
  readonly pauseMs: readonly [number, number];
}

export interface ClientPlan {
  /** Stays the same when the process is killed and restarted. */
  readonly name: string;
  /** The URL of its server, through a separate proxy. */
  readonly url: string;
  /** The server behind the proxy. */
  readonly server: string;
}

export interface WorkerPlan {
  readonly seed: string;
  /** How often this worker has been started before. */
  readonly incarnation: number;
  readonly clients: readonly ClientPlan[];
  readonly pauseMs: readonly [number, number];
  readonly stdioServer: string;
  /** The name and port of the server that gets the hostile rows. */
  readonly hostile: { readonly server: string; readonly port: number };
}

export type ToWorker =
  { readonly type: "begin"; readonly plan: WorkerPlan } | { readonly type: "pause" | "resume" | "finish" };

/** A step whose outcome differs from the model. */
export interface Failure {
  readonly client: string;
  readonly server: string;
  readonly transport: string;
  readonly revision: string;
  readonly feature: string;
  readonly step: number;
  /** The code of a typed error; `WRONG` for a wrong response; `LOST` for a missing notification. */
  readonly code: string;
  readonly expected: string;
  readonly received: string;
  /** The period of the failure, in epoch milliseconds. */
  readonly from: number;
  readonly to: number;
}

export type FromWorker =
  | { readonly type: "tally"; readonly done: Readonly<Record<string, number>> }
  | { readonly type: "failure"; readonly failure: Failure }
  | { readonly type: "stdio-server"; readonly client: string; readonly pid: number; readonly running: boolean }
  | { readonly type: "idle" }
  | { readonly type: "finished"; readonly heapBytes: number };

export interface ServerState {
  readonly heapBytes: number;
  readonly connections: number;
  readonly exchanges: number;
  readonly sockets: number;
  readonly calls: number;
  /** The calls in progress. */
  readonly running: readonly string[];
  /** The number of reports to `onerror`, by kind. */
  readonly reports: Readonly<Record<string, number>>;
  /** Reports that neither an input nor a fault explains. */
  readonly unexpected: readonly string[];
}

export type ToServer =
  | { readonly type: "state" | "close" }
  | { readonly type: "jump"; readonly monotonicMs: number; readonly dateMs: number }
  | { readonly type: "store"; readonly full: boolean }
  | { readonly type: "descriptors"; readonly exhausted: boolean };

export type FromServer =
  | { readonly type: "ready"; readonly port: number; readonly hostilePort: number }
  | { readonly type: "state"; readonly state: ServerState };
