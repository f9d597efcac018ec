// Code with windows needs one import: GLib's main loop, timers and signals come with GTK.
@_exported import GLibLoop
