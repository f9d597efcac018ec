// What this module's public declarations speak of: widgets as `GTKWidget`, the main loop.
@_exported import GLibSupport
@_exported import GTKSupport
