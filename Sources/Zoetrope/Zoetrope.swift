// The face: one import for an app. Re-exports the rooms whose types an app names.
@_exported import MediaCore
@_exported import MediaEngine
@_exported import Presentation
