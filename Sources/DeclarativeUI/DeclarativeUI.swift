// What this module's public declarations speak of: widgets as `GTKWidget`.
@_exported import GTKSupport
