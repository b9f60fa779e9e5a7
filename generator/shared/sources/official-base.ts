/** Where the raw files of the specification's repository are: `<base>/<commit or branch>/<path>`. */
export const officialBase = "https://raw.githubusercontent.com/modelcontextprotocol/modelcontextprotocol";
