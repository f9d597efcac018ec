// Public declarations of this module use types of GTK, such as `GTKWidget`, and the main loop.
@_exported import GTK
