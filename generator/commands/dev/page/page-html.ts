/** The page, whose script fills it in. It contains nothing of servers. */
export const pageHtml = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>mcpwright dev</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="dev.css">
<script src="dev.js" type="module"></script>
<header>
<h1>mcpwright dev <span id="entry"></span></h1>
<p id="server" role="status">Loading</p>
<button type="button" id="connect" hidden>Connect again</button>
</header>
<p id="offline" role="alert" hidden></p>
<ul id="problems" hidden></ul>
<main>
<div>
<section id="questions" aria-label="Questions of the server" aria-live="polite"></section>
<section id="features" aria-labelledby="features-title">
<h2 id="features-title">Server</h2>
<details id="instructions" hidden><summary>Instructions</summary><pre></pre></details>
<div role="tablist" aria-labelledby="features-title">
<button type="button" role="tab" id="tools-tab" aria-controls="tools" aria-selected="true">Tools</button>
<button type="button" role="tab" id="prompts-tab" aria-controls="prompts" aria-selected="false" tabindex="-1">Prompts</button>
<button type="button" role="tab" id="resources-tab" aria-controls="resources" aria-selected="false" tabindex="-1">Resources</button>
</div>
<div role="tabpanel" id="tools" aria-labelledby="tools-tab"></div>
<div role="tabpanel" id="prompts" aria-labelledby="prompts-tab" hidden></div>
<div role="tabpanel" id="resources" aria-labelledby="resources-tab" hidden></div>
</section>
</div>
<section id="messages" aria-labelledby="messages-title">
<h2 id="messages-title">Messages</h2>
<form id="filters" aria-label="Filter messages">
<input type="search" id="filter-text" aria-label="Text or method" placeholder="Text or method">
<select id="filter-direction" aria-label="Direction"><option value="">Both directions<option value="to-server">To the server<option value="to-host">From the server</select>
<select id="filter-connection" aria-label="Connection"><option value="">All connections</select>
<label><input type="checkbox" id="filter-problems"> Problems only</label>
<button type="button" id="clear">Clear</button>
</form>
<p id="no-rows">No messages yet.</p>
<ol id="rows" tabindex="0" aria-label="Messages"></ol>
</section>
</main>
<noscript>This page needs JavaScript.</noscript>
</html>
`;
