import Foundation
import TestSupport
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of the pickers with UIKit's names, without a display.
@Suite("pickers without a display") @MainActor
struct PickerTests {
    /// Calls `body` with a new folder, which is removed afterwards.
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-pick-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
    private func content(_ file: URL) -> String? { try? String(contentsOf: file, encoding: .utf8) }
    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("an app may move the copy of a selected file")
    func copies() async throws {
        try await withFolder { folder in
            let film = folder.appendingPathComponent("film.mp4"), link = folder.appendingPathComponent("link.mp4")
            try Data("film".utf8).write(to: film)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: film)
            for original in [film, link] {
                let copy = try PickedFile.copy(original), kept = folder.appendingPathComponent("kept.mp4")
                #expect(copy.lastPathComponent == original.lastPathComponent && copy != original)
                try FileManager.default.moveItem(at: copy, to: kept)
                #expect(content(kept) == "film" && content(original) == "film")
                try FileManager.default.removeItem(at: kept)
                PickedFile.remove(copy)
                #expect(!FileManager.default.fileExists(atPath: copy.deletingLastPathComponent().path))
            }
            PickedFile.remove(film)
            #expect(content(film) == "film")
            #expect(throws: (any Error).self) { try PickedFile.copy(folder.appendingPathComponent("none.mp4")) }
        }
    }

    @Test("an exported file replaces the chosen one", arguments: [true, false])
    func export(asCopy: Bool) async throws {
        try await withFolder { folder in
            let film = folder.appendingPathComponent("film.mp4"), old = folder.appendingPathComponent("old.mp4")
            try Data("new".utf8).write(to: film)
            try Data("old".utf8).write(to: old)
            #expect(try PickedFile.export([film], to: old, isFolder: false, asCopy: asCopy) == [old])
            #expect(content(old) == "new")
            #expect(try names(folder) == (asCopy ? ["film.mp4", "old.mp4"] : ["old.mp4"]))
        }
    }

    @Test("files exported to a folder replace none")
    func exportToFolder() async throws {
        try await withFolder { folder in
            let target = folder.appendingPathComponent("target", isDirectory: true)
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            let films = ["a.mp4", "b"].map { folder.appendingPathComponent($0) }
            for film in films { try Data("new".utf8).write(to: film) }
            try Data("old".utf8).write(to: target.appendingPathComponent("a.mp4"))
            let exported = try PickedFile.export(films, to: target, isFolder: true, asCopy: true)
            #expect(exported.map(\.lastPathComponent) == ["a 2.mp4", "b"])
            #expect(exported.allSatisfy { content($0) == "new" })
            #expect(try names(target) == ["a 2.mp4", "a.mp4", "b"])
        }
    }

    @Test("an export that fails leaves every file where it was", arguments: [true, false])
    func failedExport(asCopy: Bool) async throws {
        try await withFolder { folder in
            let target = folder.appendingPathComponent("target", isDirectory: true)
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            let files = ["a.mp4", "missing.mp4"].map { folder.appendingPathComponent($0) }
            try Data("new".utf8).write(to: files[0])
            try Data("old".utf8).write(to: target.appendingPathComponent("a.mp4"))
            #expect(throws: (any Error).self) {
                try PickedFile.export(files, to: target, isFolder: true, asCopy: asCopy)
            }
            #expect(content(files[0]) == "new")
            #expect(try names(target) == ["a.mp4"] && content(target.appendingPathComponent("a.mp4")) == "old")
        }
    }

    @Test("a provider loads a temporary file, and the file itself in place")
    func fileRepresentations() async throws {
        try await withFolder { folder in
            let film = folder.appendingPathComponent("film.mp4")
            try Data("film".utf8).write(to: film)
            let provider = NSItemProvider(object: film)
            let copy: (URL?, String?) = await withCheckedContinuation { done in
                provider.loadFileRepresentation(forTypeIdentifier: UTType.movie.identifier) { file, _ in
                    done.resume(returning: (file, file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }))
                }
            }
            #expect(copy.0?.lastPathComponent == "film.mp4" && copy.0 != film && copy.1 == "film")
            let isRemoved = await eventually("the copy is removed") {
                copy.0.map { !FileManager.default.fileExists(atPath: $0.path) } ?? false
            }
            #expect(isRemoved)
            let original: (URL?, Bool) = await withCheckedContinuation { done in
                provider.loadFileRepresentation(for: .movie, openInPlace: true) { file, isOriginal, _ in
                    done.resume(returning: (file, isOriginal))
                }
            }
            #expect(original.0 == film && original.1)
            let error: (any Error)? = await withCheckedContinuation { done in
                provider.loadFileRepresentation(forTypeIdentifier: UTType.image.identifier) { _, error in
                    done.resume(returning: error)
                }
            }
            #expect(error is NSItemProvider.LoadError)
            #expect(try await provider.loadItem(forTypeIdentifier: UTType.movie.identifier) as? URL == film)
            await #expect(throws: NSItemProvider.LoadError.self) {
                try await provider.loadItem(forTypeIdentifier: UTType.image.identifier)
            }
        }
    }

    @Test("a selected image is loaded; a video is not an image")
    func images() async throws {
        try await withFolder { folder in
            let image = folder.appendingPathComponent("dot.png"), film = folder.appendingPathComponent("film.mp4")
            let renderer = UIGraphicsImageRenderer(size: CGSize(width: 4, height: 3))
            let bytes = try #require(renderer.image { _ in }.pngData())
            try bytes.write(to: image)
            try Data("film".utf8).write(to: film)
            let result = PHPickerResult(image)
            #expect(result.itemProvider.canLoadObject(ofClass: UIImage.self) && result == PHPickerResult(image))
            let loaded: UIImage? = await withCheckedContinuation { done in
                result.itemProvider.loadObject(ofClass: UIImage.self) { image, _ in done.resume(returning: image) }
            }
            let info = UIImagePickerController.info(image)
            #expect(info[.mediaType] as? String == "public.image" && info[.imageURL] as? URL == image)
            #expect((info[.originalImage] as? UIImage)?.size == loaded?.size && loaded?.size.width ?? 0 >= 4)
            #expect(!PHPickerResult(film).itemProvider.canLoadObject(ofClass: UIImage.self))
            let video = UIImagePickerController.info(film)
            #expect(video[.mediaType] as? String == "public.movie" && video[.mediaURL] as? URL == film)
            #expect(video[.imageURL] == nil && video[.originalImage] == nil)
        }
    }

    @Test("pickers request the files that the app allows")
    func requests() {
        let image = UIImagePickerController()
        image.mediaTypes = [UTType.movie.identifier, "no.such"]
        #expect(image.request?.types == [.movie] && image.request?.isMultiple == false)
        image.sourceType = .camera
        #expect(image.request == nil && !UIImagePickerController.isSourceTypeAvailable(.camera))
        #expect(UIImagePickerController.availableMediaTypes(for: .photoLibrary) == ["public.image", "public.movie"])
        var configuration = PHPickerConfiguration(photoLibrary: .shared())
        configuration.selectionLimit = 0
        let photos = PHPickerViewController(configuration: configuration)
        #expect(photos.request?.types == [.image, .movie] && photos.request?.isMultiple == true)
        let documents = UIDocumentPickerViewController(documentTypes: ["public.movie"], in: .import)
        documents.allowsMultipleSelection = true
        #expect(documents.request?.types == [.movie] && documents.request?.isMultiple == true)
        let files = ["a.mp4", "b.mp4"].map { URL(fileURLWithPath: "/tmp/\($0)") }
        #expect(UIDocumentPickerViewController(forExporting: [files[0]]).request?.newName == "a.mp4")
        #expect(UIDocumentPickerViewController(forExporting: files, asCopy: true).request?.takesFolder == true)
        #expect(UIDocumentPickerViewController(forExporting: []).request == nil)
    }
}

/// Tests of the pickers on a screen.
@Suite("pickers on a screen", .serialized)
struct PickerScreenTests {
    @Test(
        "a picker in a sheet shows only its dialog and reports once",
        arguments: [
            ("documents", ContainerProcess.red), ("photos", ContainerProcess.green), ("images", ContainerProcess.blue),
        ])
    func sheet(kind: String, color: [Int]) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ContainerProcess("pick", display)
        let file = try probe.makeFile("film.mp4", containing: "film")
        try await probe.press(color)
        try await probe.says("shown \(kind)")
        try await probe.opens()
        // The window of the app and the dialog, without a sheet.
        #expect(try probe.windowCount() == 2)
        // An image picker closes without a call of this app's delegate.
        if kind == "images" {
            try await probe.answer("Escape", until: "shown none")
        } else {
            try await probe.answer("Escape", until: "\(kind) none")
            try await probe.says("shown none")
        }
        try await probe.says("dismissed")
        try await probe.closes()
        try await probe.press(color)
        try await probe.says("shown \(kind)")
        let name = kind == "images" ? file.lastPathComponent : file.path
        try await probe.choose(file: file.path, until: "\(kind) \(name)")
        try await probe.says("shown none")
        try await probe.says("dismissed")
        try await probe.closes()
        #expect(probe.said.filter { $0.hasPrefix("\(kind) ") }.count == (kind == "images" ? 1 : 2))
        guard kind == "photos" else { return }
        #expect(try await probe.comes("the copy") { probe.said.contains("copy \(file.lastPathComponent)") })
        #expect(try await probe.comes("closed") { probe.said.contains("closed") })
    }
}
