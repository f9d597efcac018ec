// Replaces Apple's `import PhotosUI`: the picker of photos and videos, which opens the desktop's file chooser.
@_exported import DeclarativeUI
@_exported import UIKitModule
