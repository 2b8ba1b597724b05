"""How Streamlit is started: look, and the switches a bank's operations team would ask for."""

from pathlib import Path

MAIN = Path(__file__).with_name("main.py")

#: Option → value, as `streamlit run MAIN --option=value` takes them; the same from any working directory.
STREAMLIT_OPTIONS: dict[str, str] = {
    "theme.base": str(Path(__file__).with_name("theme.toml")),
    "browser.gatherUsageStats": "false",
    "client.showErrorDetails": "none",
    "client.showErrorLinks": "false",
    "client.toolbarMode": "viewer",
    "logger.hideWelcomeMessage": "true",
    "server.enableAgentApi": "false",
    "server.fileWatcherType": "none",
    "server.headless": "true",
    "server.showEmailPrompt": "false",
    # Proxies close websockets that are silent for a minute.
    "server.websocketPingInterval": "20",
}
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "::1")


def flags(*, host: str, port: int) -> list[str]:
    """Arguments after `streamlit run MAIN`.

    On loopback only this machine's own names are accepted in the Host header, so that a web page opened elsewhere in
    the browser cannot reach the dashboard through a name of its own (DNS rebinding). On any other address the names
    people use are not known here, and a reverse proxy checks them.

    >>> flags(host="127.0.0.1", port=8501)[:2]
    ['--server.address=127.0.0.1', '--server.port=8501']
    """
    given = [f"--server.address={host}", f"--server.port={port}"]
    given += [f"--{option}={value}" for option, value in STREAMLIT_OPTIONS.items()]
    if host in _LOOPBACK:
        given += [f"--server.allowedHosts={name}" for name in _LOOPBACK]
    return given
