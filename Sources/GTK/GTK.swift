// Code with windows needs only one import, because GTK re-exports GLib's main loop, timers and signals.
@_exported import GLibLoop
