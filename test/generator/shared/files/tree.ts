/** Text by path. */
export type Tree = Readonly<Record<string, string>>;

export const meta = { generator: "0.1.0", contract: 1, inputs: { shared: "5".repeat(64) }, revisions: ["2026-07-28"] };
