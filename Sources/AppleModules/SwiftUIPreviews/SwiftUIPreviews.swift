// Replaces Apple's `import SwiftUI` in sources that use `#Preview`.
@_exported import SwiftUIModule
@_exported import ZoetropePreviews
