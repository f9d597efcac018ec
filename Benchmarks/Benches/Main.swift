import Foundation

/// The measurements of `Benchmarks/run` that do not run the tool: `Benches NAME arguments…`.
@main
enum Benches {
    /// The command line without the program: the name of the measurement, followed by its arguments.
    static let arguments = Array(CommandLine.arguments.dropFirst())

    @MainActor
    static func main() throws {
        switch arguments.first {
        case "UI": UIBench.main()
        case "Picture": try PictureBench.main()
        case "Playlist": try PlaylistBench.main()
        case "Scale": try ScaleBench.main()
        case "ABR": try ABRBench.main(Array(arguments.dropFirst()))
        case "Download":
            Task {
                await DownloadBench.main()
                exit(0)
            }
            dispatchMain()
        default:
            FileHandle.standardError.write(
                Data("usage: Benches UI|Picture|Playlist|Scale|ABR|Download arguments…\n".utf8))
            exit(64)
        }
    }
}
