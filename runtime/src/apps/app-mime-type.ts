/** The MIME type of the resources with the HTML of apps (SEP-1865, UI resource format). */
export const APP_MIME_TYPE = "text/html;profile=mcp-app";
