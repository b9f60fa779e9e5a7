/** Base URL of the raw files of the specification's repository: `<base>/<commit or branch>/<path>`. */
export const officialBase = "https://raw.githubusercontent.com/modelcontextprotocol/modelcontextprotocol";
