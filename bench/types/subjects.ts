/** A project that is compiled. */
export interface Subject {
  readonly name: string;
  /** Folder of the project. */
  readonly script: string;
  readonly isPeer: boolean;
}

export const ours = "mcpwright";
export const floor = "floor";
export const zod = "zod";

export const subjects: readonly Subject[] = [
  { name: "nothing but Node", script: floor, isPeer: false },
  { name: "zod alone", script: zod, isPeer: false },
  { name: "mcpwright", script: ours, isPeer: false },
  { name: "SDK 1.x", script: "sdk1", isPeer: true },
  { name: "SDK 2.x", script: "sdk2", isPeer: true },
];

export const packages = {
  "SDK 1.x": ["@modelcontextprotocol/sdk"],
  "SDK 2.x": ["@modelcontextprotocol/server", "@modelcontextprotocol/client"],
};

/** A compiler in use: the one that `npm install typescript` installs, and the last one written in TypeScript. */
export interface Compiler {
  /** Folder in `node_modules`. */
  readonly folder: string;
  /** Options that make the times comparable. */
  readonly options: readonly string[];
}

export const compilers: readonly Compiler[] = [
  // With several threads, the time of a short run depends on other jobs on the machine.
  { folder: "typescript-7", options: ["--singleThreaded"] },
  { folder: "typescript", options: [] },
];
