import GRDB
import MediaCore

extension DownloadContents {
    /// Makes the files and the database agree. Complete resources that were not renamed yet are renamed, and unknown
    /// files are deleted.
    func reconcile(_ package: Int64) throws(DownloadError) {
        for rendition in renditions {
            let renditionFolder = folder.folder(of: rendition.row)
            try DiskFile.makeFolder(renditionFolder)
            var rows: [String: [ResourceRow]] = [:]
            var known: Set<String> = []
            for row in try record.read({ try $0.resources(of: rendition.row.id) }) {
                rows[row.file, default: []].append(row)
            }
            var isRenamed = false
            var sizes = try DiskFile.contents(of: renditionFolder)
            let sharedFiles = rendition.facts != nil ? Set(rendition.items.map(\.fileName)) : []
            var obsoleteRows: [ResourceRow] = []
            for (file, list) in rows {
                let temporaryName = file + PackageNames.part
                if sharedFiles.contains(file) {
                    // The parts of a file share one file, which has a temporary name until all parts are complete.
                    let size = sizes[file] ?? sizes[temporaryName] ?? 0
                    known.insert(sizes[file] != nil ? file : temporaryName)
                    for row in list {
                        guard let index = rendition.place(of: row.kind, row.number) else { continue }
                        let end = (rendition.items[index].range?.offset ?? 0).addingSaturating(row.length)
                        if row.isComplete, end <= size {
                            rendition.complete(index, length: row.length)
                        } else if !row.isComplete, size > 0 {
                            rendition.begin(index, row)
                        } else {
                            obsoleteRows.append(row)
                        }
                    }
                    continue
                }
                for row in list {
                    if row.isComplete, sizes[file] == row.length {
                        known.insert(file)
                    } else if row.isComplete, sizes[temporaryName] == row.length {
                        try DiskFile.rename(renditionFolder.appending(temporaryName), renditionFolder.appending(file))
                        sizes[temporaryName] = nil
                        sizes[file] = row.length
                        known.insert(file)
                        isRenamed = true
                    } else if !row.isComplete, let size = sizes[temporaryName], size > 0,
                        let index = rendition.place(of: row.kind, row.number)
                    {
                        known.insert(temporaryName)
                        rendition.begin(index, row)
                        continue
                    } else {
                        obsoleteRows.append(row)
                        continue
                    }
                    if let index = rendition.place(of: row.kind, row.number) {
                        rendition.complete(index, length: row.length)
                    }
                }
            }
            if isRenamed { try DiskFile.syncFolder(renditionFolder) }
            for name in sizes.keys where !known.contains(name) && name != PackageNames.index {
                try DiskFile.removeTree(renditionFolder.appending(name))
            }
            if !obsoleteRows.isEmpty {
                try record.write { database in
                    for row in obsoleteRows { try database.removeResource(row.rendition, row.kind, row.number) }
                }
            }
        }
        try record.write { try $0.countBytes(of: package) }
        // Delete folders of renditions that are not in the database. Read only the names, because a playlist may be
        // long.
        let names = Set(
            try record.read {
                try String.fetchAll($0, sql: "SELECT name FROM rendition WHERE package = ?", arguments: [package])
            })
        let ownNames: Set = [PackageNames.index, PackageNames.lock]
        for name in try DiskFile.contents(of: folder.diskPath).keys
        where !names.contains(name) && !ownNames.contains(name) && !name.hasPrefix(PackageNames.artwork) {
            try DiskFile.removeTree(folder.diskPath.appending(name))
        }
    }
}
