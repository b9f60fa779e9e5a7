import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../../bench/results");

/** The median of the rounds, and the least and the most. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export interface StdioResults {
  readonly servers: readonly { readonly name: string; readonly revision: string; readonly timesFloor: Spread }[];
}

export interface HttpResults {
  readonly servers: readonly { readonly name: string; readonly form: string; readonly timesFloor: Spread }[];
  readonly bundles: readonly { readonly name: string; readonly gzipped: number }[];
}

export interface CompatResults {
  readonly rows: readonly {
    readonly name: string;
    readonly form: string;
    readonly timesNative: Spread;
    readonly timesFactory?: Spread;
  }[];
}

export interface GatewayResults {
  readonly goals: readonly { readonly goal: string; readonly measured: number }[];
  readonly fronts: readonly { readonly name: string; readonly ratio: Spread }[];
}

export interface AuthorizedResults {
  readonly goals: GatewayResults["goals"];
}

export interface NodesResults {
  readonly timesAlone: Spread;
  readonly timesOne: Spread;
  readonly commands: readonly { readonly name: string; readonly perCall: number }[];
}

export interface OpenResults {
  readonly rows: readonly { readonly name: string; readonly bytesEach: number }[];
}

export interface HeapResults {
  readonly growths: readonly { readonly name: string; readonly calls: number; readonly bytesPerCall: number }[];
}

/** What `bench/results/` contains, as far as pages and charts state it. */
export interface Results {
  readonly stdio: StdioResults;
  readonly http: HttpResults;
  readonly compat: CompatResults;
  readonly gateway: GatewayResults;
  readonly authorized: AuthorizedResults;
  readonly nodes: NodesResults;
  readonly open: OpenResults;
  readonly heap: HeapResults;
  readonly heapOverHttp: HeapResults;
}

/** Reads the last results of the benchmarks. */
export function readResults(): Results {
  return {
    stdio: read("stdio") as StdioResults,
    http: read("http") as HttpResults,
    compat: read("compat") as CompatResults,
    gateway: read("gateway") as GatewayResults,
    authorized: read("authorized-http") as AuthorizedResults,
    nodes: read("nodes") as NodesResults,
    open: read("open-http") as OpenResults,
    heap: read("heap") as HeapResults,
    heapOverHttp: read("heap-http") as HeapResults,
  };
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
}

/** Returns what rows have, at least one. @throws RangeError when no row fits, because the benchmark calls it differently now */
export function pick<Row, T>(rows: readonly Row[], fits: (row: Row) => boolean, value: (row: Row) => T): readonly T[] {
  const found = rows.filter(fits).map(value);
  if (found.length === 0) throw new RangeError(`no row of the results fits ${fits.toString()}`);
  return found;
}
