/** The names that the nodes and their clients use. */

/** The tool that asks the user. */
export const asking = "ask";
/** The tool that announces a change of a resource. */
export const touching = "touch";
/** The member of `_meta` that names the resource. */
export const metaUri = "com.example/uri";
/** What both tools return. */
export const done = "done";
