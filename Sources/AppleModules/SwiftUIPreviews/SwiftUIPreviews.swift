// `import SwiftUI` of sources that have `#Preview` in them.
@_exported import SwiftUIModule
@_exported import ZoetropePreviews
