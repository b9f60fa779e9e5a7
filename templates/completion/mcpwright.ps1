# Completion of mcpwright for PowerShell (5.1 and newer). If it has no suggestions, PowerShell suggests files.
Register-ArgumentCompleter -Native -CommandName mcpwright -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $program = $commandAst.GetCommandName()
    if (-not $program) { return }
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
            else { $_.Extent.Text }
        })
    # A variable carries the words, because PowerShell before 7.3 drops empty arguments and does not escape quotes.
    $env:MCPWRIGHT_COMPLETE = ($words + $wordToComplete) -join "`n"
    try { $offered = @(& $program --complete 2>$null) }
    finally { Remove-Item Env:MCPWRIGHT_COMPLETE -ErrorAction SilentlyContinue }
    foreach ($line in $offered) {
        $word, $description = $line -split "`t", 2
        $inserted = $word
        if ($word -notmatch '^[\w./:=+-]+$') { $inserted = "'" + $word.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($inserted, $word, 'ParameterValue', $description)
    }
}
