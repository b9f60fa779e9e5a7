/** What the processes of a run tell each other. */

/** What is offered on how heavy a load. */
export interface Intensity {
  readonly workers: number;
  readonly clientsPerWorker: number;
  /** Milliseconds between two requests of a lane. */
  readonly pauseMs: readonly [number, number];
}

export interface ClientPlan {
  /** The name, the same after the process was killed. */
  readonly name: string;
  /** The URL of its server, through a proxy of its own. */
  readonly url: string;
  /** The server behind it. */
  readonly server: string;
}

export interface WorkerPlan {
  readonly seed: string;
  /** How often this worker was started before. */
  readonly incarnation: number;
  readonly clients: readonly ClientPlan[];
  readonly pauseMs: readonly [number, number];
  readonly stdioServer: string;
  /** Where the hostile rows go: the server's name, and its port. */
  readonly hostile: { readonly server: string; readonly port: number };
}

export type ToWorker =
  { readonly type: "begin"; readonly plan: WorkerPlan } | { readonly type: "pause" | "resume" | "finish" };

/** What went otherwise than the model says. */
export interface Failure {
  readonly client: string;
  readonly server: string;
  readonly transport: string;
  readonly revision: string;
  readonly feature: string;
  readonly step: number;
  /** The code of a typed error; `WRONG` for a wrong answer; `LOST` for a notification that did not come. */
  readonly code: string;
  readonly expected: string;
  readonly received: string;
  /** Epoch milliseconds in which it went wrong. */
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
  /** What is being handled. */
  readonly running: readonly string[];
  /** What the server was told of by `onerror`, by kind. */
  readonly reports: Readonly<Record<string, number>>;
  /** Reports that no input and no fault explains. */
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
