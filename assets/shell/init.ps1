# skillpick in PowerShell: Invoke-Expression (& skillpick init powershell | Out-String)
# One key puts the mention of a skill into the line, the other composes its prompt. Nothing is run.
function _skillpick_line([string] $what) {
    $line = ''; $cursor = 0
    [Microsoft.PowerShell.PSConsoleReadLine]::GetBufferState([ref] $line, [ref] $cursor)
    $encoding = [Console]::OutputEncoding
    # Arguments with quotes do not reach programs whole in older versions; variables do.
    $env:SKILLPICK_BEFORE = $line.Substring(0, $cursor)
    $env:SKILLPICK_LINE = $line
    try {
        [Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)
        $out = (& skillpick line $what --shell powershell) -join "`n"
        $ended = $LASTEXITCODE
    } finally {
        [Console]::OutputEncoding = $encoding
        Remove-Item Env:SKILLPICK_BEFORE, Env:SKILLPICK_LINE -ErrorAction SilentlyContinue
    }
    if ($ended -eq 0 -and $out) {
        $parts = $out.Split([char] 31)
        [Microsoft.PowerShell.PSConsoleReadLine]::Replace(0, $line.Length, $parts[0] + $parts[1])
        [Microsoft.PowerShell.PSConsoleReadLine]::SetCursorPosition($parts[0].Length)
    }
    [Microsoft.PowerShell.PSConsoleReadLine]::InvokePrompt()
}
# keys
if (Get-Command Set-PSReadLineKeyHandler -ErrorAction SilentlyContinue) {
    Set-PSReadLineKeyHandler -Chord '@key@' -ScriptBlock { _skillpick_line mention }
    Set-PSReadLineKeyHandler -Chord '@compose-key@' -ScriptBlock { _skillpick_line compose }
}
