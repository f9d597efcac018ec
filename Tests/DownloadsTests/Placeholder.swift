import Downloads
import Testing

@Test func places() { #expect(DownloadLibrary.defaultFolder.isFileURL) }
