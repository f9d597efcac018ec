// What this module's public declarations speak of: widgets as `GTKWidget`, the main loop.
@_exported import GTK
@_exported import GTK
