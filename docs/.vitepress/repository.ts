/**
 * Where the files of the repository can be read on the web, such as `https://example.com/mcpwright/blob/main`. While it is
 * `undefined`, the site names files outside of `docs/` without a link.
 */
export const repository: string | undefined = undefined;
