/** The HTML of the page that shows an app. Its script is `host.js`. */
export const pageHtml = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>mcpwright inspect --app</title>
<style>
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif }
body { max-width: 720px; margin: 0 auto; padding: 16px }
header { display: flex; gap: 12px; align-items: baseline; margin-bottom: 12px }
#tool { flex: 1; font-weight: 600; overflow-wrap: anywhere }
#app { box-sizing: border-box; width: 100%; overflow: hidden }
#app.bordered { border: 1px solid light-dark(#ccc, #555); border-radius: 10px }
iframe { display: block; width: 100%; border: 0 }
h2 { font-size: 14px; margin: 20px 0 4px }
ol { margin: 0; padding: 0; list-style: none; font: 12px/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
</style>
<header><span id="tool"></span><button id="theme"></button></header>
<div id="app"></div>
<h2>Messages of the app</h2>
<ol id="lines"></ol>
<script type="module" src="host.js"></script>
</html>
`;
