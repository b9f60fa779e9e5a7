/** An argument of a tool that HTTP headers repeat (`x-mcp-header`). */
export interface HeaderParam {
  /** The header's name after `Mcp-Param-`. */
  readonly name: string;
  /** Where the argument is: keys from the root of the arguments. */
  readonly path: readonly string[];
  readonly type: "string" | "integer" | "boolean";
}
