// Replaces Apple's `import OSLog`, and is the same as `import os`.
@_exported import osModule
