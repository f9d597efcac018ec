// `import OSLog` of Apple's sources: the same as `import os`.
@_exported import osModule
